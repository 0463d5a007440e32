# A Homebrew formula that builds from a checkout. Homebrew installs only formulae of taps, so run at the top of the
# checkout:
#
#   brew tap-new --no-git gallerygen/local
#   sed "s|CHECKOUT|$PWD|" Packaging/gallerygen.rb >"$(brew --repository gallerygen/local)/Formula/gallerygen.rb"
#   brew install --HEAD gallerygen/local/gallerygen
class Gallerygen < Formula
  desc "Static web gallery of pictures that live elsewhere"
  homepage "https://gallerygen.invalid"
  license "Apache-2.0"
  head "file://CHECKOUT", using: :git

  depends_on "pkgconf" => :build
  depends_on "python" => :build
  # Swift 6.3 comes with Xcode 26.4.
  depends_on xcode: ["26.4", :build]
  depends_on "curl"
  depends_on "giflib"
  depends_on "isa-l"
  depends_on "jpeg-turbo"
  depends_on "libexif"
  depends_on "libpng"
  depends_on "libxml2"
  depends_on "little-cms2"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "webp"

  def install
    # SwiftPM can't use its sandbox, because the build runs in Homebrew's and sandboxes can't be nested.
    system "make", "build", "BUILD_FLAGS=--disable-sandbox"
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    system bin/"gallerygen", "init", "holidays"
    assert_path_exists testpath/"holidays/photos.plist"
  end
end
